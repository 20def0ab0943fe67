import type { CDPSession, Page } from "@playwright/test";

/** A device's authenticator, simulated by Chromium: it keeps passkeys, and its person confirms immediately. */
export class Authenticator {
  readonly #session: CDPSession;
  readonly #id: string;

  private constructor(session: CDPSession, id: string) {
    this.#session = session;
    this.#id = id;
  }

  /**
   * The person also accepts whatever a page suggests in a field, so a test says whether the browser has such
   * suggestions.
   */
  static async of(page: Page, { suggests = false } = {}): Promise<Authenticator> {
    if (!suggests)
      await page.addInitScript(() => {
        PublicKeyCredential.isConditionalMediationAvailable = async () => false;
      });
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(session, authenticatorId);
  }

  async passkeys() {
    return (await this.#session.send("WebAuthn.getCredentials", { authenticatorId: this.#id })).credentials;
  }

  /** Whether the device recognises its person, by finger or face. */
  async setRecognised(isUserVerified: boolean): Promise<void> {
    await this.#session.send("WebAuthn.setUserVerified", { authenticatorId: this.#id, isUserVerified });
  }
}
