"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { Reply } from "../../lib/client.ts";
import type { PasskeyView } from "../../lib/protocol/sign-in.ts";
import { api } from "../live/api.ts";

// The library is loaded when somebody uses a passkey.

export async function signInWithPasskey(): Promise<Reply<"passkeySignIn">["person"]> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    import("@simplewebauthn/browser"),
    api.call("passkeyOptions", {}),
  ]);
  // The contract leaves to WebAuthn what is in it.
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const credential = await startAuthentication({ optionsJSON });
  return (await api.call("passkeySignIn", { body: { credential: { ...credential } } })).person;
}

export async function addPasskey(name: string): Promise<PasskeyView> {
  const [{ startRegistration }, { options }] = await Promise.all([
    import("@simplewebauthn/browser"),
    api.call("newPasskeyOptions", {}),
  ]);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = await startRegistration({ optionsJSON });
  return (await api.call("addPasskey", { body: { credential: { ...credential }, name } })).passkey;
}

/** The person closed the dialog of their browser: nothing is wrong. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
