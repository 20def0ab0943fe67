import type { InboxItem } from "../../protocol/inbox.ts";

// The orders of the inbox, and the place in them where a page ended.

export type Status = InboxItem["status"];

/** By these columns, all in one direction. The last one is unique, so that every item has its own place. */
export type Order = { status: Status; columns: readonly string[]; direction: "asc" | "desc" };

/** The values of those columns. */
export type Place = readonly unknown[];

export type Cursor = { status: Status; place: Place };

export function orderBy({ columns, direction }: Order): string {
  return columns.map((column) => `${column} ${direction}`).join(", ");
}

/** The condition for everything behind a place. */
export function behind({ columns, direction }: Order, place: Place | undefined) {
  if (!place) return { sql: "", params: {} };
  const marks = columns.map((_, index) => `@after${index}`).join(", ");
  const params = Object.fromEntries(place.map((value, index) => [`after${index}`, value]));
  return { sql: ` and (${columns.join(", ")}) ${direction === "asc" ? ">" : "<"} (${marks})`, params };
}

export function placeOf({ columns }: Order, row: Readonly<Record<string, unknown>>): Place {
  return columns.map((column) => row[column]);
}

/** Where a page ends that ends with this item. */
export function cursorOf(order: Order, row: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify([order.status, ...placeOf(order, row)])).toString("base64url");
}

/** An unknown cursor, or one of another order, starts at the first page. */
export function parseCursor(text: string | undefined, orders: readonly Order[]): Cursor | undefined {
  try {
    const [status, ...place] = JSON.parse(Buffer.from(text ?? "", "base64url").toString());
    const order = orders.find((one) => one.status === status);
    const id = place.at(-1);
    if (!order || place.length !== order.columns.length || typeof id !== "string" || !/^\w{1,80}$/.test(id))
      return undefined;
    return place.slice(0, -1).every(Number.isSafeInteger) ? { status: order.status, place } : undefined;
  } catch {
    return undefined;
  }
}
