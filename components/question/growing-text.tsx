"use client";

import { type RefObject, useEffect, useRef, useState } from "react";

type Props = {
  field?: RefObject<HTMLTextAreaElement | null>;
  label: string;
  value: string;
  onChange: (text: string) => void;
  isDisabled: boolean;
  isInvalid?: boolean;
  hasFocus?: boolean;
  /** The choice it belongs to, for the keys of the card. */
  choice?: string;
  placeholder?: string;
  className?: string;
};

/** A text field that grows with its text. */
export function GrowingText({
  field,
  label,
  value,
  onChange,
  isDisabled,
  isInvalid,
  hasFocus,
  choice,
  placeholder,
  className = "",
}: Props) {
  const own = useRef<HTMLTextAreaElement>(null);
  const ref = field ?? own;
  const [isComposing, setComposing] = useState(false);
  useEffect(() => {
    if (hasFocus) ref.current?.focus();
  }, [hasFocus, ref]);
  return (
    <textarea
      ref={ref}
      rows={1}
      aria-label={label}
      dir="auto"
      value={value}
      // An input method must be able to finish its word: otherwise Chromium never ends the composition.
      readOnly={isDisabled && !isComposing}
      onCompositionStart={() => setComposing(true)}
      onCompositionEnd={() => setComposing(false)}
      aria-invalid={isInvalid || undefined}
      data-choice={choice}
      placeholder={placeholder}
      onChange={(event) => onChange(event.target.value)}
      className={`field field-sizing-content max-h-80 min-h-10 resize-y ${className}`}
    />
  );
}
