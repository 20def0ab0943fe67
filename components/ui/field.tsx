"use client";

import { type ComponentProps, type ReactNode, useId } from "react";

type Props = Omit<ComponentProps<"input">, "id" | "onChange" | "value"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  /** What is wrong with the value. */
  error?: string | undefined;
  /** A button inside the field, at its end. */
  end?: ReactNode;
};

/** A line of text with its label above it, and what is wrong below it. */
export function TextField({ label, value, onChange, hint, error, end, className = "", ...rest }: Props) {
  const id = useId();
  const about = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <div className="relative flex items-center">
        <input
          id={id}
          className={`field ${end ? "pr-11" : ""} ${error ? "border-danger" : ""}`}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={about}
          onChange={(event) => onChange(event.target.value)}
          {...rest}
        />
        {end && <span className="absolute right-0.5 flex">{end}</span>}
      </div>
      {error ? (
        <p id={`${id}-error`} role="alert" className="mt-1 text-xs text-danger">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="mt-1 text-xs text-subtle">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** A control that is no line of text, with its label above it. */
export function Labelled({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div>
      <p aria-hidden className="mb-1 text-sm font-medium">
        {label}
      </p>
      {children}
      {hint && <p className="mt-1 text-xs text-subtle">{hint}</p>}
    </div>
  );
}
