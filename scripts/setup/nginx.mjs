// @ts-check
// Finds nginx for the tests of proxies: PARLEY_NGINX, the system's, or the package of apt, unpacked and never installed, so
// that no service starts.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { root } from "./root.mjs";
import { run, SetupError } from "./step.mjs";

const system = "/usr/sbin/nginx";
const cache = path.join(root, "node_modules/.cache/nginx");
const unpacked = path.join(cache, "usr/sbin/nginx");

/** @returns {Promise<{ program: string } | { missing: string }>} */
export async function findNginx() {
  const given = process.env.PARLEY_NGINX;
  if (given && !existsSync(given)) throw new SetupError(`PARLEY_NGINX is ${given}, which does not exist.`);
  const found = [given, system, unpacked].find((program) => program && existsSync(program));
  if (found) return { program: found };
  if (!existsSync("/usr/bin/apt-get") || !existsSync("/usr/bin/dpkg-deb"))
    return { missing: "nginx is not installed, and there is no apt to get it from. Install it, or set PARLEY_NGINX." };
  const draft = `${cache}.${process.pid}`;
  try {
    mkdirSync(draft, { recursive: true });
    await run("Downloading nginx", "apt-get", ["download", "nginx"], {}, draft).catch(async () => {
      await run("Reading the list of packages", "apt-get", ["update"]);
      await run("Downloading nginx", "apt-get", ["download", "nginx"], {}, draft);
    });
    const file = readdirSync(draft).find((name) => name.endsWith(".deb")) ?? "";
    await run("Unpacking nginx", "dpkg-deb", ["-x", path.join(draft, file), draft]);
    await run("Starting nginx", path.join(draft, "usr/sbin/nginx"), ["-v"]);
    if (!existsSync(cache)) renameSync(draft, cache);
    return { program: unpacked };
  } catch (error) {
    return { missing: `nginx could not be taken from apt: ${error instanceof Error ? error.message : error}` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
