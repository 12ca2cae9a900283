// Where hands wait in this phone: IndexedDB, which also plain http has. A waiting hand is the
// answers of its form (seats as numbers, cards) and the table's public id; no name of anybody.
// A hand that the server has acknowledged stays for the evening as a copy (second-copy.js).
const DATABASE = "right-bower";
const HANDS = "hands";
const COPIES = "copies";

let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 2);
    asked.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion < 1) {
        const hands = asked.result.createObjectStore(HANDS, { keyPath: "order", autoIncrement: true });
        hands.createIndex("table", "table");
      }
      asked.result.createObjectStore(COPIES, { keyPath: "id" });
    };
    asked.onsuccess = () => {
      asked.result.onversionchange = () => asked.result.close(); // a newer page in another tab
      resolve(asked.result);
    };
    asked.onerror = () => reject(asked.error);
  }).catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/* Done when the disk has it, not when it was asked for. */
async function run(mode, order) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const change = database.transaction([HANDS, COPIES], mode, { durability: "strict" });
    const asked = order(change.objectStore(HANDS), change.objectStore(COPIES));
    change.oncomplete = () => resolve(asked?.result);
    change.onabort = change.onerror = () => reject(change.error);
  });
}

const byNumber = (a, b) => a.fields.number - b.fields.number || a.order - b.order;

/* The hands that wait, of one table or of all, in the order in which they were played. */
export async function waiting(table) {
  const hands = await run("readonly", (store) =>
    table ? store.index("table").getAll(table) : store.getAll(),
  );
  return hands.sort(byNumber);
}

/* Keep a new hand, or one that has changed; its place in the store. */
export function keep(hand) {
  return run("readwrite", (store) => store.put(hand));
}

export function forget(orders) {
  return run("readwrite", (store) => orders.forEach((order) => store.delete(order)));
}

export function copies() {
  return run("readonly", (_hands, store) => store.getAll());
}

/* The server has this hand: what stays is a copy, with ids of its evening and of who sits there, and
   the receipt once a page has shown it. */
export function copy(hand, { session, number, people }, receipt) {
  const { table, fields, order } = hand;
  const id = fields.client_id;
  return run("readwrite", (hands, store) => {
    if (order) hands.delete(order);
    return store.put({ id, table, session, number, people, fields, receipt, at: Date.now() });
  });
}

export function dropCopies(ids) {
  return run("readwrite", (_hands, store) => ids.forEach((id) => store.delete(id)));
}

/* Copies become hands that wait: the server has them no more. */
export function bringBack(lost) {
  return run("readwrite", (hands, store) =>
    lost.forEach(({ id, table, fields, receipt }) => {
      store.delete(id);
      hands.put({ table, fields, receipt });
    }),
  );
}
