// Next runs this before anything else in a page.
import { sendPageSecret } from "./components/live/page-secret.ts";

sendPageSecret();
