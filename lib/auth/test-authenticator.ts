import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

// An authenticator in software, as WebAuthn defines it: what a phone or a security key does, and what an attacker might.

type Ceremony = { challenge: string; rp?: { id?: string }; rpId?: string };
type Conditions = { origin: string; counter?: number; challenge?: string; verified?: boolean };

export function createAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  const [present, verifiedFlag, attested] = [0x01, 0x04, 0x40];

  const data = (rpId: string, flags: number, counter: number, more = Buffer.alloc(0)) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.of(flags), count, more]);
  };
  const clientData = (type: string, { challenge }: Ceremony, given: Conditions) =>
    Buffer.from(JSON.stringify({ type, challenge: given.challenge ?? challenge, origin: given.origin }));
  const flagsOf = ({ verified = true }: Conditions) => present | (verified ? verifiedFlag : 0);
  const common = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };

  return {
    /** Creates a passkey, as asked by the options. */
    create: (options: Ceremony, given: Conditions) => {
      const cose = cbor(
        new Map<unknown, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, "base64url")],
          [-3, Buffer.from(y, "base64url")],
        ]),
      );
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, cose]);
      const authData = data(options.rp?.id ?? "", flagsOf(given) | attested, given.counter ?? 0, credential);
      const attestation = new Map<unknown, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", authData],
      ]);
      const response = {
        clientDataJSON: clientData("webauthn.create", options, given).toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
      };
      return { ...common, response, clientExtensionResults: {} };
    },
    /** Proves that it has the passkey. */
    get: (options: Ceremony, given: Conditions) => {
      const authData = data(options.rpId ?? "", flagsOf(given), given.counter ?? 0);
      const client = clientData("webauthn.get", options, given);
      const signature = sign("sha256", Buffer.concat([authData, sha256(client)]), privateKey);
      const response = {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
      };
      return { ...common, response, clientExtensionResults: {} };
    },
  };
}

function sha256(bytes: string | Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** As much of CBOR as passkeys need. */
function cbor(value: unknown): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (!(value instanceof Map)) throw new Error(`cannot write ${typeof value}`);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.of((kind << 5) | size);
  return size < 256 ? Buffer.of((kind << 5) | 24, size) : Buffer.of((kind << 5) | 25, size >> 8, size & 0xff);
}
