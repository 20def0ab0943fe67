// What a child process of Parley gets of its environment. Parley's secrets are in there too, so nothing is passed on unless
// it is listed.

export type Environment = Record<string, string | undefined>;

/** What programs need in order to start, find their files and reach the network. */
const COMMON =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR|TEMP|TMP|XDG_\w+|NODE_ENV|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|https?_proxy|no_proxy|SystemRoot|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec|PATHEXT)$/i;

export function childEnvironment(env: Environment, isWanted: (name: string) => boolean = () => false): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => COMMON.test(name) || isWanted(name)));
}
