const RETRY_MS = 2_000;

/**
 * Loads a part of the page, and tries again while the server cannot be reached: the rest of the page works without it, and
 * would otherwise be replaced by an error.
 */
export function retrying<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async function attempt(): Promise<Part> {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return attempt();
    }
  };
}
