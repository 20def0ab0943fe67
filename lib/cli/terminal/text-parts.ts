/** A body as text, piece by piece; no character is cut in two. */
export async function* textParts({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) yield read.value;
}
