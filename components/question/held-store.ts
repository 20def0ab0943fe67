"use client";

import { type HeldStore, isHeldAnswer } from "./held-answers.ts";

const STORE = "held";

/** What a browser writes to local storage, it may still lose seconds later. Only a database says when it is written. */
export function databaseStore(): HeldStore {
  let opened: Promise<IDBDatabase> | undefined;
  const open = () => {
    const request = indexedDB.open("parley", 1);
    request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: "inbox_item_id" });
    return resultOf(request);
  };
  const inStore = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opened ??= open();
    // The next one tries again.
    opened.catch(() => {
      opened = undefined;
    });
    return (await opened).transaction(STORE, mode, { durability: "strict" }).objectStore(STORE);
  };
  return {
    put: async (held) => {
      const store = await inStore("readwrite");
      store.put(held);
      await committed(store.transaction);
    },
    remove: async (inbox_item_id) => (await inStore("readwrite")).delete(inbox_item_id),
    all: async () => {
      const found: unknown[] = await resultOf((await inStore("readonly")).getAll());
      return found.filter(isHeldAnswer);
    },
  };
}

function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
