import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { userCodeOf } from "../auth/secrets.ts";
import { ChannelTarget } from "../protocol/notification.ts";

// Addresses of people and the secrets of their channels: a copy of the database alone must not give them away.

export type TargetCipher = {
  /** `id` binds the text to its row: nobody can give one channel the address of another. */
  encrypt: (id: string, target: ChannelTarget) => string;
  /** Undefined if it was encrypted with another secret, or changed. */
  decrypt: (id: string, text: string) => ChannelTarget | undefined;
  /** What proves that a person reads what arrives at a channel. It stays the same, so every message to confirm it has it. */
  codeFor: (id: string) => string;
};

const VERSION = "1";
const IV = 12;
const TAG = 16;

/** AES-256-GCM under a key that comes from the secret of the installation. */
export function createTargetCipher(secret: string): TargetCipher {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "parley channel targets", 32));
  const codeKey = Buffer.from(hkdfSync("sha256", secret, "", "parley channel codes", 32));
  return {
    codeFor: (id) => userCodeOf(createHmac("sha256", codeKey).update(id).digest()),
    encrypt: (id, target) => {
      const iv = randomBytes(IV);
      const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(id));
      const text = Buffer.concat([cipher.update(JSON.stringify(target), "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url")}`;
    },
    decrypt: (id, text) => {
      try {
        const bytes = Buffer.from(text.slice(VERSION.length + 1), "base64url");
        const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, IV)).setAAD(Buffer.from(id));
        decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
        const plain = Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]);
        return ChannelTarget.parse(JSON.parse(String(plain)));
      } catch {
        return undefined;
      }
    },
  };
}
