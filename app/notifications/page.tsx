import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Notifications } from "../../components/notifications/notifications.tsx";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("notifications"))("title") };
}

export default function NotificationsPage() {
  return <Notifications />;
}
