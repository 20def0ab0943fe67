/** Options of Node with which `resolve`, the code of a hook, decides where a module is found. */
export function resolvingBy(resolve: string): string[] {
  const hook = asUrl(`export const resolve = ${resolve};`);
  return ["--import", asUrl(`import { register } from "node:module"; register(${JSON.stringify(hook)});`)];
}

function asUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
