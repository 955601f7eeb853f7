//! What page and worker both need of the browser: clock, randomness, timers, locks, bytes in and out.
//!
//! Compiles everywhere, works in a browser.

use js_sys::{Array, ArrayBuffer, Function, Object, Promise, Reflect, Uint8Array};
use shared::UnixMillis;
use std::cell::Cell;
use std::fmt::Display;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(then: &Function, ms: i32) -> i32;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: i32);

    // web-sys has it only behind a compiler flag.
    type LockManager;
    #[wasm_bindgen(method, catch, js_name = request)]
    fn request(this: &LockManager, name: &str, granted: &Function) -> Result<Promise, JsValue>;
}

/// A property of the global object; `None` where this browser or this context has none.
pub fn global<T: JsCast>(name: &str) -> Option<T> {
    property(&js_sys::global(), name).map(JsCast::unchecked_into)
}

fn property(of: &JsValue, name: &str) -> Option<JsValue> {
    let value = Reflect::get(of, &name.into()).ok()?;
    (!value.is_undefined() && !value.is_null()).then_some(value)
}

/// The name of a thrown `DOMException` or `Error`, e.g. `QuotaExceededError`; it never holds content.
pub fn error_name(error: &JsValue) -> String {
    property(error, "name").and_then(|name| name.as_string()).unwrap_or_else(|| "unknown".into())
}

/// Now, by this device's clock.
pub fn now() -> UnixMillis {
    #[expect(clippy::cast_possible_truncation, reason = "milliseconds fit for 285,000 years")]
    UnixMillis(js_sys::Date::now() as i64)
}

/// Fills `bytes` with randomness fit for keys.
pub fn random(bytes: &mut [u8]) {
    let crypto: web_sys::Crypto = global("crypto").expect("every browser has crypto");
    // One call takes no more than 65,536 bytes.
    for part in bytes.chunks_mut(65_536) {
        crypto.get_random_values_with_u8_array(part).expect("a byte array of allowed length is filled");
    }
}

/// A callback at a later moment; dropping it calls it off.
pub struct Timer {
    id: i32,
    _then: Closure<dyn FnMut()>,
}

impl Timer {
    /// Calls `then` in `ms` milliseconds.
    pub fn new(ms: i64, then: impl FnMut() + 'static) -> Self {
        let then = Closure::<dyn FnMut()>::new(then);
        let ms = i32::try_from(ms.max(0)).unwrap_or(i32::MAX);
        Self { id: set_timeout(then.as_ref().unchecked_ref(), ms), _then: then }
    }

    /// Calls `then` at a moment.
    pub fn at(moment: UnixMillis, then: impl FnMut() + 'static) -> Self {
        Self::new(moment.since(now()), then)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        clear_timeout(self.id);
    }
}

/// Waits.
pub async fn sleep(ms: i32) {
    let slept = Promise::new(&mut |resolve, _| {
        set_timeout(&resolve, ms);
    });
    slept.await.ok();
}

/// The browser's locks between tabs; `None` in a page that was not loaded safely (HTTPS or localhost).
pub struct Locks(LockManager);

impl Locks {
    /// Finds them.
    pub fn find() -> Option<Self> {
        property(&global::<JsValue>("navigator")?, "locks").map(|locks| Self(locks.unchecked_into()))
    }

    /// Waits for a lock and holds it as long as this worker lives.
    pub async fn hold(&self, name: &str) -> Result<(), JsValue> {
        let forever = Promise::new(&mut |_, _| {});
        let refused: Rc<Cell<Option<JsValue>>> = Rc::default();
        let outcome = Rc::clone(&refused);
        let held = Promise::new(&mut |resolve, _| {
            let forever = forever.clone();
            let granted = Closure::once_into_js(move |_lock: JsValue| -> JsValue {
                resolve.call0(&JsValue::NULL).ok();
                forever.into()
            });
            if let Err(error) = self.0.request(name, granted.unchecked_ref()) {
                refused.set(Some(error));
            }
        });
        match outcome.take() {
            Some(error) => Err(error),
            None => held.await.map(drop),
        }
    }

    /// Waits until nobody holds a lock.
    pub async fn gone(&self, name: &str) -> Result<(), JsValue> {
        let granted = Closure::once_into_js(|_lock: JsValue| {});
        self.0.request(name, granted.unchecked_ref())?.await.map(drop)
    }
}

/// Bytes as a message, and what to transfer with it so that they are not copied.
pub fn message_of(bytes: &[u8]) -> (Uint8Array, Array) {
    let array = Uint8Array::from(bytes);
    let transfer = Array::of1(&array.buffer());
    (array, transfer)
}

/// The bytes of a message of a worker, a channel or a WebSocket; `None` if it is not made of bytes.
pub fn bytes_of(data: &JsValue) -> Option<Vec<u8>> {
    let buffer = data.dyn_ref::<ArrayBuffer>().map(|buffer| Uint8Array::new(buffer));
    buffer.as_ref().or_else(|| data.dyn_ref()).map(Uint8Array::to_vec)
}

/// An object of plain properties.
pub fn object(properties: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in properties {
        Reflect::set(&object, &(*name).into(), value).expect("a plain object takes every property");
    }
    object
}

/// A line for whoever looks at the console. Never the text of a message.
pub fn warn(what: &str, why: impl Display) {
    web_sys::console::warn_1(&format!("kinstead: {what}: {why}").into());
}
