//! A false clamd for what a real one cannot be made to do: it finds EICAR, as the self-test wants, and does with every
//! other file as it is told at the moment.

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::watch,
    task::JoinHandle,
};

/// What it does with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Takes it and thinks until it is told something else.
    Thinks,
    /// Says this and closes.
    Says(&'static [u8]),
}

pub(crate) struct FalseClamd {
    pub(crate) address: String,
    manner: watch::Sender<Manner>,
    serving: JoinHandle<()>,
}

impl Drop for FalseClamd {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl FalseClamd {
    pub(crate) async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("tcp://{}", listener.local_addr().unwrap());
        let manner = watch::Sender::new(manner);
        let told = manner.clone();
        let serving = tokio::spawn(async move {
            loop {
                let (socket, _) = listener.accept().await.unwrap();
                // Whoever hangs up in the middle is no fault of the false clamd.
                let told = told.subscribe();
                tokio::spawn(async move { drop(converse(socket, told).await) });
            }
        });
        Self { address, manner, serving }
    }

    pub(crate) fn now(&self, manner: Manner) {
        self.manner.send_replace(manner);
    }
}

async fn converse(mut socket: TcpStream, mut told: watch::Receiver<Manner>) -> std::io::Result<()> {
    let mut command = Vec::new();
    while command.last() != Some(&0) {
        command.push(socket.read_u8().await?);
    }
    if command == b"zVERSION\0" {
        return socket.write_all(b"ClamAV 9.9.9/12345/Mon Dec  1 09:11:12 2025\0").await;
    }
    assert_eq!(command, b"zINSTREAM\0");
    let mut file = Vec::new();
    loop {
        let length = socket.read_u32().await? as usize;
        let start = file.len();
        file.resize(start + length, 0);
        socket.read_exact(&mut file[start..]).await?;
        if length == 0 {
            break;
        }
    }
    if file.windows(9).any(|window| window == b"EICAR-STA") {
        return socket.write_all(b"stream: Eicar FOUND\0").await;
    }
    let manner = *told.wait_for(|manner| *manner != Manner::Thinks).await.unwrap();
    match manner {
        Manner::Says(answer) => socket.write_all(answer).await,
        Manner::Thinks => Ok(()),
    }
}
