import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

type Options = { challenge: string; rp?: { id?: string }; rpId?: string };
/** What a test makes it do differently from an honest device in the right place. */
type Oddity = { origin?: string; rpId?: string; counter?: number; isVerified?: boolean };

const TOUCHED = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A device with one passkey, in software. It signs as WebAuthn says, with a real key, and counts its signatures. */
export class TestAuthenticator {
  readonly id = randomBytes(16).toString("base64url");
  readonly #origin: string;
  readonly #key: KeyObject;
  readonly #point: { x: Buffer; y: Buffer };
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    this.#key = privateKey;
    this.#point = { x: Buffer.from(x, "base64url"), y: Buffer.from(y, "base64url") };
  }

  /** What the browser returns when a passkey is made. */
  create(options: Options, oddity: Oddity = {}) {
    const id = Buffer.from(this.id, "base64url");
    const { x, y } = this.#point;
    // An ES256 key on P-256 as COSE writes it.
    const key = Buffer.concat([bytes("a5010203262001215820"), x, bytes("225820"), y]);
    const aaguid = Buffer.alloc(16);
    const authData = Buffer.concat([this.#data(options, HAS_KEY, oddity), aaguid, bytes("0010"), id, key]);
    const attestationObject = Buffer.concat([
      bytes("a3"),
      text("fmt"),
      text("none"),
      text("attStmt"),
      bytes("a0"),
      text("authData"),
      Buffer.from([0x58, authData.length]),
      authData,
    ]);
    return this.#credential({
      clientDataJSON: this.#clientData("webauthn.create", options, oddity).toString("base64url"),
      attestationObject: attestationObject.toString("base64url"),
      transports: ["internal"],
    });
  }

  /** What the browser returns when someone signs in. */
  get(options: Options, oddity: Oddity = {}) {
    this.#counter += 1;
    const clientData = this.#clientData("webauthn.get", options, oddity);
    const authData = this.#data(options, 0, oddity);
    const signed = Buffer.concat([authData, createHash("sha256").update(clientData).digest()]);
    return this.#credential({
      clientDataJSON: clientData.toString("base64url"),
      authenticatorData: authData.toString("base64url"),
      signature: sign("sha256", signed, this.#key).toString("base64url"),
    });
  }

  #data(options: Options, flags: number, oddity: Oddity): Buffer {
    const { rpId = options.rpId ?? options.rp?.id ?? "", counter = this.#counter, isVerified = true } = oddity;
    const rest = Buffer.alloc(5);
    rest.writeUInt8(TOUCHED | flags | (isVerified ? VERIFIED : 0));
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), rest]);
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Oddity): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #credential(response: Record<string, unknown>) {
    return { id: this.id, rawId: this.id, type: "public-key", response, clientExtensionResults: {} };
  }
}

const bytes = (hex: string) => Buffer.from(hex, "hex");
const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
