"use client";

import { Eye, EyeOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { iconButtonClass } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { strengthOf } from "./strength.ts";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
  /** `new-password` also shows how hard it is to guess. */
  autoComplete: "current-password" | "new-password";
  /** What the password must not be: the login and the name. */
  own?: readonly string[];
  /** A dialog begins here. */
  hasFocus?: boolean;
};

/** A password, which can be shown while it is typed. */
export function PasswordField({ label, value, onChange, error, autoComplete, own = [], hasFocus = false }: Props) {
  const t = useTranslations("password");
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <div>
      <TextField
        label={label}
        type={isShown ? "text" : "password"}
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        maxLength={200}
        required
        value={value}
        onChange={onChange}
        error={error}
        {...(hasFocus && { "data-autofocus": true })}
        end={
          <button
            type="button"
            aria-label={t(isShown ? "hide" : "show")}
            aria-pressed={isShown}
            className={iconButtonClass()}
            onClick={() => setShown(!isShown)}
          >
            <Icon size={16} aria-hidden />
          </button>
        }
      />
      {autoComplete === "new-password" && <Meter value={value} own={own} />}
    </div>
  );
}

const LEVELS = { short: 0, obvious: 0, weak: 1, fair: 2, strong: 3 } as const;
const COLOURS = ["bg-line", "bg-danger", "bg-warning", "bg-good"] as const;

/** How hard the password is to guess: a bar, and a sentence that says what to do. */
function Meter({ value, own }: { value: string; own: readonly string[] }) {
  const t = useTranslations("password");
  const strength = strengthOf(value, own);
  const level = LEVELS[strength];
  return (
    <div className="mt-2">
      <div className="flex gap-1" aria-hidden>
        {[1, 2, 3].map((step) => (
          <span key={step} className={`h-1 flex-1 rounded-full ${level >= step ? COLOURS[level] : "bg-line"}`} />
        ))}
      </div>
      <p role="status" className="mt-1 text-xs text-subtle">
        {t(`strength.${strength}`)}
      </p>
    </div>
  );
}
