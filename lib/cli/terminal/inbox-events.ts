import { io, type Socket } from "socket.io-client";
import type { ClientToServer, ServerToClient } from "../../protocol/events.ts";
import type { InboxItem } from "../../protocol/inbox.ts";
import { credentialFor } from "./credentials.ts";
import { hubUrl } from "./hub-url.ts";
import { notSignedIn } from "./sign-in.ts";
import type { Terminal } from "./terminal.ts";

type Listener = {
  /** Called at start and after every reconnect, to read what happened in the meantime. */
  onConnect: () => Promise<void>;
  onItem: (item: InboxItem) => Promise<void>;
  /** The connection was lost. Called once until it is back. */
  onTrouble: (message: string) => void;
};

/** Follows the inbox live. Resolves only if this Parley has no sockets. */
export function inboxEvents(terminal: Terminal, { onConnect, onItem, onTrouble }: Listener): Promise<"disabled"> {
  const url = hubUrl(terminal);
  const socket: Socket<ServerToClient, ClientToServer> = io(url, {
    transports: ["websocket", "polling"],
    tryAllTransports: true,
    query: { protocol: "v2" },
    // For each connection again: the person may have signed in again.
    auth: (send) => send({ key: credentialFor(terminal, "person")?.secret }),
    reconnectionDelay: 250,
    reconnectionDelayMax: 5_000,
  });
  return new Promise((resolve, reject) => {
    let isTold = false;
    const lost = () => {
      if (!isTold) onTrouble(`Parley cannot be reached at ${url}.`);
      isTold = true;
    };
    socket.on("connect", () => {
      isTold = false;
      socket
        .emitWithAck("inbox.subscribe", {})
        .then(onConnect)
        .catch((error) => (socket.connected ? reject(error) : undefined));
    });
    socket.on("inbox.changed", ({ payload }) => void onItem(payload.item).catch(reject));
    socket.on("disconnect", (reason) => {
      lost();
      // Socket.IO does not reconnect automatically if the server ended the connection, which it does when it stops.
      if (reason === "io server disconnect") socket.connect();
    });
    socket.on("connect_error", (error) => {
      const refusal = "data" in error ? codeIn(error.data) : undefined;
      if (refusal === "CHAT_PROTOCOL_DISABLED" || refusal === "UNAUTHORIZED") {
        socket.close();
        if (refusal === "UNAUTHORIZED") reject(notSignedIn(terminal, "person"));
        else resolve("disabled");
        return;
      }
      lost();
      // Refused by the server, for example because there are too many sockets. Socket.IO does not try again then.
      if (!socket.active) setTimeout(() => socket.connect(), 5_000);
    });
  });
}

function codeIn(data: unknown): unknown {
  return typeof data === "object" && data !== null && "code" in data ? data.code : undefined;
}
