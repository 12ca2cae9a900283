// Where hands wait in this phone: IndexedDB, which also plain http has. A waiting hand is the
// answers of its form (seats as numbers, cards) and the table's public id; no name of anybody.
const DATABASE = "right-bower";
const HANDS = "hands";

let opened;

function open() {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => {
      const hands = asked.result.createObjectStore(HANDS, { keyPath: "order", autoIncrement: true });
      hands.createIndex("table", "table");
    };
    asked.onsuccess = () => resolve(asked.result);
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
    const change = database.transaction(HANDS, mode, { durability: "strict" });
    const asked = order(change.objectStore(HANDS));
    change.oncomplete = () => resolve(asked?.result);
    change.onabort = change.onerror = () => reject(change.error);
  });
}

const byNumber = (one, other) => one.fields.number - other.fields.number || one.order - other.order;

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
