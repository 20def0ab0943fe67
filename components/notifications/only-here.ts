/** Whether a host name means the machine itself, so that no other device reaches it under this name. */
export function isOnlyHere(hostname: string): boolean {
  return /^(?:.+\.)?localhost$|^127(?:\.\d+){3}$|^\[::1\]$/.test(hostname);
}
