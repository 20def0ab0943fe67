import { ownFile } from "../db/place.ts";
import { ensureSecret } from "../db/secret-file.ts";

/** The secret of this installation, created on first start; `value` if it is set. */
export function installationSecret(
  { value, file }: { value: string | undefined; file: string | undefined },
  place: { url: string; root: string },
): string {
  return ensureSecret({
    value,
    file: ownFile("secret", file, place),
    what: "The secret of this installation",
    settings: "PARLEY_SECRET",
    ifShort: "Remove the file, and Parley creates another.",
  });
}
