import { notFound } from "next/navigation";
import { Gallery } from "../../components/gallery/gallery.tsx";
import { sharedRuntime } from "../runtime.ts";

/** Every state of a question card and of a message, for who works on Parley: not there otherwise. */
export default function GalleryPage() {
  if (!sharedRuntime().gallery) notFound();
  return <Gallery now={Date.now()} />;
}
