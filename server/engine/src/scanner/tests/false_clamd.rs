//! Speaks clamd's protocol to the letter for the self-test, and as told for every other file.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    task::JoinHandle,
};

use super::Address;

/// What it does with a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Manner {
    /// Reads all of it, says this and closes.
    Says(&'static [u8]),
    /// Says this after the first piece, and reads on.
    SaysEarly(&'static [u8]),
    /// Closes after the first piece.
    Closes,
    /// Reads all of it and says nothing.
    KeepsSilent,
    /// Reads nothing more after the first piece.
    StopsReading,
    /// Says something for ever.
    NeverEnds,
}

pub(super) struct FalseClamd {
    pub(super) address: Address,
    serving: JoinHandle<()>,
}

impl Drop for FalseClamd {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl FalseClamd {
    pub(super) async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        let serving = tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                // Whoever hangs up in the middle is no fault of the false clamd.
                tokio::spawn(async move { drop(converse(socket, manner).await) });
            }
        });
        Self { address, serving }
    }
}

async fn converse(mut socket: TcpStream, manner: Manner) -> std::io::Result<()> {
    let mut command = [0; 10];
    socket.read_exact(&mut command).await?;
    assert_eq!(&command, b"zINSTREAM\0");
    let mut begin = piece(&mut socket).await?;
    if begin.starts_with(b"filler\0") || begin.starts_with(b"X5O!") {
        while !piece(&mut socket).await?.is_empty() {}
        return socket.write_all(b"stream: Eicar FOUND\0").await;
    }
    match manner {
        Manner::Says(answer) => {
            while !begin.is_empty() {
                begin = piece(&mut socket).await?;
            }
            socket.write_all(answer).await
        }
        Manner::SaysEarly(answer) => {
            socket.write_all(answer).await?;
            while !piece(&mut socket).await?.is_empty() {}
            Ok(())
        }
        Manner::Closes => Ok(()),
        Manner::KeepsSilent => {
            while !begin.is_empty() {
                begin = piece(&mut socket).await?;
            }
            std::future::pending().await
        }
        Manner::StopsReading => std::future::pending().await,
        Manner::NeverEnds => loop {
            socket.write_all(b"stream: stream: stream: ").await?;
        },
    }
}

/// One piece of the file; an empty one is its end.
async fn piece(socket: &mut TcpStream) -> std::io::Result<Vec<u8>> {
    let length = socket.read_u32().await?;
    let mut piece = vec![0; length as usize];
    socket.read_exact(&mut piece).await?;
    Ok(piece)
}
