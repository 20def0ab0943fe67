import { createECDH, hkdfSync } from "node:crypto";

export type VapidKeys = { publicKey: string; privateKey: string };

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/**
 * The key that identifies this installation to push services. It is derived from the installation's secret, so there is
 * nothing to store and every node has the same one. 384 bits are reduced to a number from 1 to the order, so that none is
 * more likely.
 */
export function vapidKeys(secret: string): VapidKeys {
  const bytes = Buffer.from(hkdfSync("sha256", secret, "", "parley web push", 48));
  const scalar = (BigInt(`0x${bytes.toString("hex")}`) % (ORDER - 1n)) + 1n;
  const key = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(key);
  return { publicKey: curve.getPublicKey("base64url"), privateKey: key.toString("base64url") };
}
