import { expect, test } from "vitest";
import { isOnlyHere } from "./only-here.ts";

test("a phone cannot open an address that means the machine itself", () => {
  const isLocal = (address: string) => isOnlyHere(new URL(address).hostname);
  for (const address of [
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://127.1.2.3",
    "http://[::1]:3000",
    "http://p.localhost",
  ])
    expect(isLocal(address), address).toBe(true);
  for (const address of [
    "https://parley.example.com",
    "http://192.168.1.20:3000",
    "http://[fe80::1]",
    "http://127.example.com",
  ])
    expect(isLocal(address), address).toBe(false);
});
