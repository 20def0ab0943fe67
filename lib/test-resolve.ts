/** Node options that let `resolve`, the code of a hook, decide where a module is found. */
export function resolvingBy(resolve: string): string[] {
  const hook = asUrl(`export const resolve = ${resolve};`);
  return ["--import", asUrl(`import { register } from "node:module"; register(${JSON.stringify(hook)});`)];
}

function asUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
