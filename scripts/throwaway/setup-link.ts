import { createSetupLink } from "../../lib/auth/links.ts";
import { openDatabase } from "../../lib/db/database.ts";
import { root } from "../setup/root.mjs";
import { PATIENT_S } from "./database.ts";

/** The link with which the first account of a running server is created, as its console would print it. */
export async function setupLink(databaseUrl: string, url: string): Promise<string> {
  const db = await openDatabase({ url: databaseUrl, root, timeoutS: PATIENT_S });
  try {
    return await createSetupLink({ db, publicUrl: () => url }, Date.now());
  } finally {
    await db.close();
  }
}
