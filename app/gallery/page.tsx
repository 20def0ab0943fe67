import { notFound } from "next/navigation";
import { Gallery } from "../../components/gallery/gallery.tsx";
import { sharedRuntime } from "../runtime.ts";

/** Every state of a question card and of a message, for contributors. */
export default function GalleryPage() {
  if (!sharedRuntime().gallery) notFound();
  return <Gallery now={Date.now()} />;
}
