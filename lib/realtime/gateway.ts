import type { Server as HttpServer, IncomingMessage } from "node:http";
import { Server, type Socket } from "socket.io";
import type { Identify } from "../auth/identify.ts";
import type { Hub } from "../hub/hub.ts";
import type { Actor, Call } from "../protocol/actor.ts";
import type { ReportInternal } from "../protocol/error-reply.ts";
import { ERRORS, ParleyError } from "../protocol/errors.ts";
import type { ClientToServer, ServerToClient } from "../protocol/events.ts";
import { CONTRACT_LIMITS } from "../protocol/limits.ts";
import { buffered, Connection, cutOff } from "./connection.ts";
import type { Feed } from "./feed.ts";
import type { InboxFeed } from "./inbox-feed.ts";
import type { Presence } from "./presence.ts";
import { socketError } from "./socket-error.ts";

export type GatewayOptions = {
  server: HttpServer;
  hub: Hub;
  feed: Feed;
  inbox: InboxFeed;
  presence: Presence;
  clock: () => number;
  identify: Identify["socket"];
  /** The same origin check that every other request passes. */
  checkRequest: (request: IncomingMessage) => ParleyError | undefined;
  enabled: boolean;
  clientOf: (request: IncomingMessage) => string;
  /** Sockets of one client; 0 is no limit. */
  socketsPerClient: number;
  stopOnDisconnect: boolean;
  onError: (error: unknown) => void;
  onInternal: ReportInternal;
};

export type Connections = {
  sockets: number;
  /** Bytes that the slowest socket has not read yet. */
  buffered: number;
  /** Conversations that sockets and event streams follow, each counted once per reader. */
  readers: number;
};

export type Gateway = {
  connections: () => Connections;
  stop: () => Promise<void>;
};

/** Socket.IO at /socket.io. Every command calls the same hub as REST; no rule lives here. */
export function startGateway(options: GatewayOptions): Gateway {
  const { server, hub, feed, inbox, presence, clock, onError, onInternal } = options;
  const clients = new Map<string, number>();
  const io = new Server<ClientToServer, ServerToClient>(server, {
    serveClient: false,
    // Deflate costs 200 kB per socket and makes a broadcast six times slower (measured).
    perMessageDeflate: false,
    maxHttpBufferSize: CONTRACT_LIMITS.bodyBytes,
    destroyUpgrade: false,
    allowRequest: (request, decide) => {
      const refused = options.checkRequest(request);
      decide(refused && ERRORS[refused.code].socket, refused === undefined);
    },
  });
  const identify = (socket: Socket) => {
    const { query, auth } = socket.handshake;
    return options.identify(socket.request.headers, query.name, auth, socket.request);
  };
  // Refused here, not in `allowRequest`: no client can read the reply to a refused handshake.
  io.use(async (socket, next) => {
    let refused: unknown = refusal(options, socket);
    try {
      if (!refused) {
        const actor = await identify(socket);
        Object.assign(socket.data, { actor, client: actor.id ?? options.clientOf(socket.request) });
        refused = tooMany(options, clients.get(socket.data.client));
      }
    } catch (error) {
      refused = error;
    }
    if (!refused) return next();
    const data = socketError(refused, onInternal);
    next(Object.assign(new Error(data.message), { data }));
    // On the next tick, after the refusal is sent.
    process.nextTick(() => socket.conn.close());
  });
  const leave = async (connection: Connection, call: () => Call) => {
    for (const conversation_id of connection.close()) {
      if (options.stopOnDisconnect && feed.watcherCount(conversation_id) === 0)
        await hub.interrupt(call(), conversation_id);
    }
  };

  io.on("connection", (socket) => {
    const client: string = socket.data.client;
    clients.set(client, (clients.get(client) ?? 0) + 1);
    const actor: Actor = socket.data.actor;
    const call = (): Call | Promise<Call> => {
      const known = identify(socket);
      const callBy = (actor: Actor): Call => ({ actor, now: clock(), again: () => identify(socket), address: client });
      return known instanceof Promise ? known.then(callBy) : callBy(known);
    };
    const opened: Call = { actor, now: clock(), again: () => identify(socket) };
    const connection = new Connection({ socket, hub, feed, inbox, presence, opened, call, clock, onInternal });
    socket.on("disconnect", () => {
      const left = (clients.get(client) ?? 1) - 1;
      if (left > 0) clients.set(client, left);
      else clients.delete(client);
      leave(connection, () => ({ actor, now: clock() })).catch(onError);
    });
    connection.open();
  });
  return {
    connections: () => {
      const sockets = [...io.sockets.sockets.values()];
      return {
        sockets: sockets.length,
        buffered: Math.max(0, ...sockets.map(buffered)),
        readers: feed.totalWatchers(),
      };
    },
    stop: async () => {
      for (const socket of io.sockets.sockets.values()) cutOff(socket);
      io.engine.close();
    },
  };
}

/** Returns why a client may not connect; it gets the reason as `data` of its `connect_error`. */
function refusal({ enabled }: GatewayOptions, socket: Socket): ParleyError | undefined {
  if (!enabled)
    return new ParleyError("chat_protocol_disabled", "Sockets are turned off here (CHAT_PROTOCOL_V2_ENABLED).");
  if (socket.handshake.query.protocol !== "v2")
    return new ParleyError("protocol_version_unsupported", "Connect with protocol=v2.");
  return undefined;
}

/** A client is a person or a key, or an address if the caller is unknown. */
function tooMany({ socketsPerClient }: GatewayOptions, open = 0): ParleyError | undefined {
  if (socketsPerClient === 0 || open < socketsPerClient) return undefined;
  return new ParleyError("rate_limited", `A client can have ${socketsPerClient} sockets. Close one first.`);
}
