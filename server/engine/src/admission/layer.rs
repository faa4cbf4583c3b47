//! The middleware: a slot first, everything else after.
//!
//! [`MediaAdmissionLayer`] belongs outside of everything that costs something: authorization, the database, the file. It
//! is no load shedder (it queues) and no concurrency limit in tower's sense (that one gives its permit back when the
//! response's *headers* are ready, and the file behind a body lives on).
//!
//! `poll_ready` is always ready. A service that exerted back-pressure there would let one media request hold up the health
//! check behind it; so the wait happens inside of the response future, where only that request waits, and where dropping
//! the future, as hyper does when the client has gone, takes it out of the queue before it has cost an authorization.
//! The inner service is asked for readiness after the slot has come, and not reserved while waiting for it.

use std::{
    future::Future,
    pin::Pin,
    task::{Context, Poll, ready},
};

use http::{Method, Request, Response, StatusCode, request::Parts};
use http_body::Body;
use pin_project_lite::pin_project;
use tower::{Layer, Service};

use super::{
    held_body::HeldBody,
    queue::Ticket,
    slots::{Acquire, Refusal, SlotPermit, Slots},
};

/// A request extension: this request holds a slot. A handler that must never run without one asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Admitted(());

/// Puts requests that `classify` gives a ticket behind [`Slots`], and answers those that get none with `refuse`.
#[derive(Clone, Debug)]
pub struct MediaAdmissionLayer<C, R> {
    slots: Slots,
    classify: C,
    refuse: R,
}

impl<C, R> MediaAdmissionLayer<C, R> {
    /// `classify` is a `Fn(&Parts) -> Option<Ticket>`; `None` passes without waiting. `refuse` is a
    /// `Fn(Refusal) -> Response<_>` and makes the answer of the same body type as the inner service's.
    pub fn new(slots: Slots, classify: C, refuse: R) -> Self {
        Self { slots, classify, refuse }
    }
}

impl<S, C: Clone, R: Clone> Layer<S> for MediaAdmissionLayer<C, R> {
    type Service = MediaAdmission<S, C, R>;

    fn layer(&self, inner: S) -> Self::Service {
        MediaAdmission { inner, admission: self.clone() }
    }
}

/// The service made by [`MediaAdmissionLayer`].
#[derive(Clone, Debug)]
pub struct MediaAdmission<S, C, R> {
    inner: S,
    admission: MediaAdmissionLayer<C, R>,
}

impl<S, C, R, ReqBody, ResBody> Service<Request<ReqBody>> for MediaAdmission<S, C, R>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>> + Clone,
    C: Fn(&Parts) -> Option<Ticket>,
    R: Fn(Refusal) -> Response<ResBody> + Clone,
    ResBody: Body,
{
    type Response = Response<HeldBody<ResBody>>;
    type Error = S::Error;
    type Future = ResponseFuture<S, R, ReqBody>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<ReqBody>) -> Self::Future {
        let (mut parts, body) = request.into_parts();
        let state = match (self.admission.classify)(&parts) {
            None => State::Ready { hold: Hold::Nothing },
            Some(ticket) => {
                parts.extensions.insert(Admitted(()));
                let acquire = self.admission.slots.acquire(ticket);
                State::Waiting { acquire, headers_only: parts.method == Method::HEAD }
            }
        };
        let request = Some(Request::from_parts(parts, body));
        ResponseFuture { service: self.inner.clone(), refuse: self.admission.refuse.clone(), request, state }
    }
}

/// What a request holds while the inner service works on it.
#[derive(Debug, Default)]
enum Hold {
    #[default]
    Nothing,
    Slot {
        permit: SlotPermit,
        /// No body will be sent, whatever the inner service answers.
        headers_only: bool,
    },
}

impl Hold {
    /// Moves the slot into the body, unless the answer is one whose body is nothing to wait for.
    fn carry<B: Body>(self, response: Response<B>) -> Response<HeldBody<B>> {
        let status = response.status();
        let slight = status == StatusCode::NOT_MODIFIED || status.is_client_error() || status.is_server_error();
        match self {
            Self::Slot { permit, headers_only: false } if !slight => response.map(|body| HeldBody::new(body, permit)),
            Self::Slot { .. } | Self::Nothing => response.map(HeldBody::free),
        }
    }
}

pin_project! {
    /// The future of [`MediaAdmission`].
    pub struct ResponseFuture<S: Service<Request<ReqBody>>, R, ReqBody> {
        service: S,
        refuse: R,
        request: Option<Request<ReqBody>>,
        #[pin]
        state: State<S::Future>,
    }
}

pin_project! {
    #[project = StateProj]
    enum State<F> {
        Waiting { #[pin] acquire: Acquire, headers_only: bool },
        Ready { hold: Hold },
        Running { hold: Hold, #[pin] future: F },
    }
}

impl<S, R, ReqBody, ResBody> Future for ResponseFuture<S, R, ReqBody>
where
    S: Service<Request<ReqBody>, Response = Response<ResBody>>,
    R: Fn(Refusal) -> Response<ResBody>,
    ResBody: Body,
{
    type Output = Result<Response<HeldBody<ResBody>>, S::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let next = match this.state.as_mut().project() {
                StateProj::Waiting { acquire, headers_only } => match ready!(acquire.poll(cx)) {
                    Ok(permit) => State::Ready { hold: Hold::Slot { permit, headers_only: *headers_only } },
                    Err(refusal) => return Poll::Ready(Ok((this.refuse)(refusal).map(HeldBody::free))),
                },
                StateProj::Ready { hold } => {
                    ready!(this.service.poll_ready(cx))?;
                    let Some(request) = this.request.take() else { return Poll::Pending };
                    State::Running { hold: std::mem::take(hold), future: this.service.call(request) }
                }
                StateProj::Running { hold, future } => {
                    let response = ready!(future.poll(cx));
                    let hold = std::mem::take(hold);
                    return Poll::Ready(response.map(|response| hold.carry(response)));
                }
            };
            this.state.set(next);
        }
    }
}

#[cfg(test)]
mod tests;
