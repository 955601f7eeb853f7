//! A device: the real replica, its disk in memory, over a real WebSocket.

use crate::support::House;
use futures_util::{SinkExt, StreamExt};
use shared::frame::{SUBPROTOCOL, decode, encode};
use shared::{MessageId, SessionId};
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;
use std::time::Duration;
use sync::port::{Event, Request};
use sync::replica::{Input, OPEN_PREFIXES, Output, Replica};
use sync::store;
use sync::view::{Connection, HomeView, LiveView, MessageView, QueueView, SyncView};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a test waits for a condition before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Opens the sync socket of a signed-in device.
pub async fn open(address: SocketAddr, cookie: &str, origin: Option<&str>) -> Result<Socket, WsError> {
    let mut request = format!("ws://{address}/api/sync").into_client_request()?;
    let headers = request.headers_mut();
    headers.insert("cookie", cookie.parse().unwrap());
    headers.insert("sec-websocket-protocol", SUBPROTOCOL.parse().unwrap());
    if let Some(origin) = origin {
        headers.insert("origin", origin.parse().unwrap());
    }
    Ok(tokio_tungstenite::connect_async(request).await?.0)
}

/// Serves a house on a free port.
pub async fn listen(house: &House) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = house.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// A device.
pub struct Peer {
    replica: Replica,
    pub disk: BTreeMap<String, Vec<u8>>,
    socket: Option<Socket>,
    address: SocketAddr,
    cookie: String,
    inbox: VecDeque<Input>,
    pub home: Option<HomeView>,
    pub sync: SyncView,
    pub thread: BTreeMap<MessageId, MessageView>,
    pub live: Option<LiveView>,
    pub queue: QueueView,
    pub queued: Vec<MessageId>,
    pub problems: Vec<String>,
    /// Character and expertise of the Kin last opened.
    pub kin_texts: (String, String),
    pub signed_out: bool,
}

impl Peer {
    /// A device that has just been signed in and connects.
    pub async fn start(address: SocketAddr, cookie: &str) -> Self {
        let mut peer = Self {
            replica: Replica::new(Box::new(|bytes| getrandom::fill(bytes).unwrap())),
            disk: BTreeMap::new(),
            socket: None,
            address,
            cookie: cookie.to_owned(),
            inbox: VecDeque::new(),
            home: None,
            sync: SyncView::default(),
            thread: BTreeMap::new(),
            live: None,
            queue: QueueView::default(),
            queued: Vec::new(),
            problems: Vec::new(),
            kin_texts: Default::default(),
            signed_out: false,
        };
        peer.restart();
        peer.connect().await;
        peer.until("up to date", |peer| peer.sync.connection == Connection::UpToDate).await;
        peer
    }

    /// The app is closed and opened again: only the disk stays.
    pub fn restart(&mut self) {
        self.socket = None;
        self.replica = Replica::new(Box::new(|bytes| getrandom::fill(bytes).unwrap()));
        let rows = OPEN_PREFIXES.iter().flat_map(|prefix| store::scan(&self.disk, prefix)).collect();
        self.inbox.push_back(Input::Opened { rows });
        self.inbox.push_back(Input::Request(Request::Attach));
    }

    pub async fn connect(&mut self) {
        self.work().await;
        self.socket = Some(open(self.address, &self.cookie, None).await.unwrap());
        self.inbox.push_back(Input::Connected);
        self.work().await;
    }

    /// Cuts the connection without a word.
    pub async fn disconnect(&mut self) {
        self.socket = None;
        self.inbox.push_back(Input::Disconnected);
        self.work().await;
    }

    pub async fn ask(&mut self, request: Request) {
        self.inbox.push_back(Input::Request(request));
        self.work().await;
    }

    pub async fn send(&mut self, session: SessionId, text: &str) -> MessageId {
        let message = server::clock::fresh();
        self.ask(Request::Send { session, message, text: text.to_owned(), reply_to: None }).await;
        message
    }

    /// Takes frames until the condition holds.
    pub async fn until(&mut self, what: &str, condition: impl Fn(&Self) -> bool) {
        let reached = tokio::time::timeout(PATIENCE, async {
            self.work().await;
            while !condition(self) {
                let Some(socket) = &mut self.socket else { panic!("not connected, waiting for {what}") };
                match socket.next().await {
                    Some(Ok(Message::Binary(bytes))) => self.inbox.push_back(Input::Frame(decode(&bytes).unwrap())),
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => {
                        self.socket = None;
                        self.inbox.push_back(Input::Disconnected);
                    }
                }
                self.work().await;
            }
        });
        let reached = reached.await;
        assert!(
            reached.is_ok(),
            "never happened: {what}; the thread is {:?}, live {:?}, queue {:?}",
            self.texts(),
            self.live,
            self.queue
        );
    }

    async fn work(&mut self) {
        while let Some(input) = self.inbox.pop_front() {
            for output in self.replica.step(server::clock::now(), input) {
                match output {
                    Output::Send(frame) => {
                        if let Some(socket) = &mut self.socket {
                            let _ = socket.send(Message::Binary(encode(&frame).into())).await;
                        }
                    }
                    Output::Store { token, batch } => {
                        store::apply(&mut self.disk, &batch);
                        self.inbox.push_back(Input::Stored { token });
                    }
                    Output::Load { prefix } => {
                        let rows = store::scan(&self.disk, &prefix);
                        self.inbox.push_back(Input::Loaded { prefix, rows });
                    }
                    Output::Event(event) => self.event(event),
                    Output::Wipe => self.disk.clear(),
                    Output::Connect | Output::Disconnect | Output::WakeAt(_) => {}
                }
            }
        }
    }

    fn event(&mut self, event: Event) {
        match event {
            Event::Home(home) => self.home = Some(home),
            Event::Sync(sync) => self.sync = sync,
            Event::Thread(view) => {
                self.thread = view.messages.into_iter().map(|message| (message.id, message)).collect();
                (self.live, self.queue) = (view.live, view.queue);
            }
            Event::ThreadChanged { upserts, removed, .. } => {
                self.thread.retain(|id, _| !removed.contains(id));
                self.thread.extend(upserts.into_iter().map(|message| (message.id, message)));
            }
            Event::Live { live, .. } => self.live = live,
            Event::LiveText { text, .. } => self.live.as_mut().unwrap().text.push_str(&text),
            Event::Queue { queue, .. } => self.queue = queue,
            Event::Queued { message } => self.queued.push(message),
            Event::Problem { code, .. } => self.problems.push(code),
            Event::SignedOut => self.signed_out = true,
            Event::KinTexts { character, expertise, .. } => self.kin_texts = (character, expertise),
            Event::Own { .. } | Event::Found { .. } | Event::Locked | Event::Wiped => {}
        }
    }

    /// The thread in order: text by text.
    pub fn texts(&self) -> Vec<&str> {
        let mut messages: Vec<&MessageView> = self.thread.values().collect();
        messages.sort_by_key(|message| (message.order, message.id));
        messages.into_iter().map(|message| message.text.as_str()).collect()
    }
}
