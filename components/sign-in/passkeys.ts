"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import type { Reply } from "../../lib/client.ts";
import type { PasskeyView } from "../../lib/protocol/sign-in.ts";
import { api, errorCode } from "../live/api.ts";
import { rememberPasskey } from "../preferences/preferences.ts";
import { deviceIn } from "../ui/device-words.ts";

// Loads the library only if someone may use a passkey.

type Person = Reply<"passkeySignIn">["person"];

/** Asks for a passkey in a dialog of the browser. */
export async function signInWithPasskey(): Promise<Person> {
  return signInBy(await prepare(), false);
}

/**
 * Offers passkeys among the suggestions of the login field, for as long as the page is in view. Each time that it comes into
 * view, with a new challenge: the old one may have expired, or belong to another tab.
 */
export function suggestPasskeys(onSignedIn: (person: Person) => void, onFailed: (reason: unknown) => void): () => void {
  let isOver = false;
  const suggest = async () => {
    if (document.visibilityState !== "visible" || !(await hasSuggestions())) return;
    // The person did not start this, so failures stay silent: if the server cannot be reached, the buttons say so when
    // pressed.
    const prepared = await prepare().catch(() => undefined);
    if (!prepared || isOver) return;
    await signInBy(prepared, true).then(onSignedIn, (reason) => {
      if (!isOver) onFailed(reason);
    });
  };
  void suggest();
  document.addEventListener("visibilitychange", suggest);
  return () => {
    isOver = true;
    document.removeEventListener("visibilitychange", suggest);
    void import("@simplewebauthn/browser").then(({ WebAuthnAbortService }) => WebAuthnAbortService.cancelCeremony());
  };
}

async function hasSuggestions(): Promise<boolean> {
  return (await globalThis.PublicKeyCredential?.isConditionalMediationAvailable?.()) ?? false;
}

type Prepared = { library: typeof import("@simplewebauthn/browser"); options: PublicKeyCredentialRequestOptionsJSON };

/** Someone who is signed in proves with a passkey who they are. */
export async function confirmWithPasskey(): Promise<void> {
  const { library, options } = await prepare("confirmOptions");
  const credential = await library.startAuthentication({ optionsJSON: options });
  await api.call("confirm", { body: { credential: { ...credential } } });
}

async function prepare(begin: "passkeyOptions" | "confirmOptions" = "passkeyOptions"): Promise<Prepared> {
  const [library, { options }] = await Promise.all([import("@simplewebauthn/browser"), api.call(begin, {})]);
  // The contract leaves its contents to WebAuthn.
  return { library, options: options as unknown as PublicKeyCredentialRequestOptionsJSON };
}

async function signInBy({ library, options }: Prepared, useBrowserAutofill: boolean): Promise<Person> {
  const credential = await library.startAuthentication({ optionsJSON: options, useBrowserAutofill });
  try {
    const { person } = await api.call("passkeySignIn", { body: { credential: { ...credential } } });
    rememberPasskey(true);
    return person;
  } catch (reason) {
    // It was removed here, but not from the device.
    if (errorCode(reason) === "unauthorized") rememberPasskey(false);
    throw reason;
  }
}

export async function addPasskey(name: string): Promise<PasskeyView> {
  const credential = await makePasskey(() => api.call("newPasskeyOptions", {}));
  const { passkey } = await api.call("addPasskey", { body: { credential, name } });
  rememberPasskey(true);
  return passkey;
}

/** Creates the first account with a passkey of this device, and no password. */
export async function setUpWithPasskey(account: { token: string; name: string; login: string }): Promise<void> {
  const credential = await makePasskey(() => api.call("firstPasskeyOptions", { body: account }));
  const name = deviceIn(navigator.userAgent).system ?? account.login;
  await api.call("setUp", { body: { ...account, passkey: { credential, name } } });
  rememberPasskey(true);
}

async function makePasskey(begin: () => Promise<{ options: object }>) {
  const [{ startRegistration }, { options }] = await Promise.all([import("@simplewebauthn/browser"), begin()]);
  return { ...(await startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON })) };
}

/** The person closed the dialog of their browser: nothing is wrong. */
export function isCalledOff(error: unknown): boolean {
  return error instanceof Error && (error.name === "NotAllowedError" || error.name === "AbortError");
}
