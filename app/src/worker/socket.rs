//! The connection to the server: a WebSocket that `link` keeps up.

use super::link::{self, Link};
use crate::browser::{Timer, bytes_of, error_name, global, now, random, warn};
use shared::frame::{ClientFrame, CloseCode, SUBPROTOCOL, ServerFrame, decode, encode};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;
use web_sys::{BinaryType, MessageEvent, Response, WebSocket, WorkerGlobalScope, WorkerLocation};

const PATH: &str = "/api/sync";
/// Answers 401 when the login is over, and why. A browser does not say why a WebSocket could not open.
const WHO_AM_I: &str = "/api/me";

/// What the connection has to say.
#[derive(Debug)]
pub enum News {
    /// Connected.
    Up,
    /// No longer connected; it will be tried again.
    Down,
    /// The server said something.
    Frame(ServerFrame),
    /// The login has run out. The device was not signed out: what it keeps stays.
    LoginOver,
}

/// The connection; clones share it.
#[derive(Clone)]
pub struct Socket(Rc<Inner>);

struct Inner {
    link: RefCell<Link>,
    connection: RefCell<Option<Connection>>,
    timer: RefCell<Option<Timer>>,
    report: Box<dyn Fn(News)>,
}

impl Socket {
    /// Not connected yet.
    pub fn new(report: impl Fn(News) + 'static) -> Self {
        Self(Rc::new(Inner {
            link: RefCell::new(Link::new()),
            connection: RefCell::default(),
            timer: RefCell::default(),
            report: Box::new(report),
        }))
    }

    /// Connects, or connects anew, and stays connected.
    pub fn want(&self) {
        self.0.step(link::Input::Want);
    }

    /// Disconnects and stays so.
    pub fn leave(&self) {
        self.0.step(link::Input::Leave);
    }

    /// Connects at once if it is waiting to.
    pub fn wake(&self) {
        self.0.step(link::Input::Wake);
    }

    /// Checks that the server still hears us.
    pub fn doubt(&self) {
        self.0.step(link::Input::Doubt);
    }

    /// Sends a frame; without a connection it is dropped, as it would be on a line that has just been cut.
    pub fn send(&self, frame: &ClientFrame) {
        self.0.send(frame);
    }
}

impl Inner {
    fn step(self: &Rc<Self>, input: link::Input) {
        let mut jitter = [0];
        random(&mut jitter);
        let outputs = self.link.borrow_mut().step(now(), jitter[0], input);
        for output in outputs {
            match output {
                link::Output::Open => self.open(),
                link::Output::Close => drop(self.connection.take()),
                link::Output::Ping => self.send(&ClientFrame::Ping),
                link::Output::Up => (self.report)(News::Up),
                link::Output::Down => (self.report)(News::Down),
            }
        }
        let wake_at = self.link.borrow().wake_at();
        let this = Rc::clone(self);
        let timer = wake_at.map(|at| Timer::at(at, move || this.step(link::Input::Tick)));
        drop(self.timer.replace(timer));
    }

    fn open(self: &Rc<Self>) {
        match Connection::open(self) {
            Ok(connection) => drop(self.connection.replace(Some(connection))),
            Err(error) => {
                // Not from inside this step: its outputs are not all done.
                warn("could not begin to connect", error_name(&error));
                let this = Rc::clone(self);
                spawn_local(async move { this.step(link::Input::Lost) });
            }
        }
    }

    fn send(&self, frame: &ClientFrame) {
        if !self.link.borrow().is_open() {
            return;
        }
        if let Some(connection) = &*self.connection.borrow()
            && let Err(error) = connection.socket.send_with_u8_array(&encode(frame))
        {
            warn("a frame was not sent", error_name(&error));
        }
    }

    fn hear(self: &Rc<Self>, data: &JsValue) {
        let frame = bytes_of(data).and_then(|bytes| decode::<ServerFrame>(&bytes).ok());
        let Some(frame) = frame else {
            warn("the server sent something that is no frame", "reconnecting");
            return self.step(link::Input::Lost);
        };
        self.step(link::Input::Heard);
        if frame != ServerFrame::Pong {
            (self.report)(News::Frame(frame));
        }
    }

    fn lose(self: &Rc<Self>) {
        let opened = self.link.borrow().is_open();
        self.step(link::Input::Lost);
        if !opened {
            spawn_local(Rc::clone(self).find_out_why());
        }
    }

    /// Asks whether the login is over.
    async fn find_out_why(self: Rc<Self>) {
        match refusal(WHO_AM_I).await.as_deref() {
            Some("device_revoked") => {
                (self.report)(News::Frame(ServerFrame::Closing { code: CloseCode::SignedOut }));
            }
            Some(_) => (self.report)(News::LoginOver),
            None => {}
        }
    }
}

/// One WebSocket and who listens to it. Dropping it ends both.
struct Connection {
    socket: WebSocket,
    _opened: Closure<dyn FnMut()>,
    _closed: Closure<dyn FnMut()>,
    _heard: Closure<dyn FnMut(MessageEvent)>,
}

impl Connection {
    fn open(inner: &Rc<Inner>) -> Result<Self, JsValue> {
        let socket = WebSocket::new_with_str(&address()?, SUBPROTOCOL)?;
        socket.set_binary_type(BinaryType::Arraybuffer);
        let this = Rc::clone(inner);
        let opened = Closure::<dyn FnMut()>::new(move || this.step(link::Input::Opened));
        let this = Rc::clone(inner);
        // An error is always followed by a close.
        let closed = Closure::<dyn FnMut()>::new(move || this.lose());
        let this = Rc::clone(inner);
        let heard = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| this.hear(&event.data()));
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(heard.as_ref().unchecked_ref()));
        Ok(Self { socket, _opened: opened, _closed: closed, _heard: heard })
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.socket.set_onopen(None);
        self.socket.set_onclose(None);
        self.socket.set_onmessage(None);
        self.socket.close().ok();
    }
}

fn address() -> Result<String, JsValue> {
    let location: WorkerLocation = global("location").ok_or("no location")?;
    let scheme = if location.protocol() == "https:" { "wss" } else { "ws" };
    Ok(format!("{scheme}://{}{PATH}", location.host()))
}

/// The code of a GET that is answered 401; `None` for every other answer, and for none.
async fn refusal(path: &str) -> Option<String> {
    let scope: WorkerGlobalScope = js_sys::global().unchecked_into();
    let response: Response = scope.fetch_with_str(path).await.ok()?.unchecked_into();
    if response.status() != 401 {
        return None;
    }
    let problem: JsValue = response.json().ok()?.await.ok()?;
    Some(js_sys::Reflect::get(&problem, &"code".into()).ok()?.as_string().unwrap_or_default())
}
