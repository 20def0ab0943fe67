import { notFound } from "next/navigation";
import { Gallery } from "../../components/gallery/gallery.tsx";
import { pageSettings } from "../../lib/pages/settings.ts";

/** Every state of a question card and of a message, for contributors. */
export default function GalleryPage() {
  if (!pageSettings().gallery) notFound();
  return <Gallery now={Date.now()} />;
}
