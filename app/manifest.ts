import type { MetadataRoute } from "next";
import { getTranslations } from "next-intl/server";

/** What makes Parley an app that can be installed: on iOS, only an installed one gets notifications. */
export default async function manifest(): Promise<MetadataRoute.Manifest> {
  const t = await getTranslations("page");
  return {
    id: "/",
    name: "Parley",
    short_name: "Parley",
    description: t("about"),
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#ffffff",
    theme_color: "#5a43d6",
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icon-maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
  };
}
