const VARIANTS = {
  primary:
    "border-transparent bg-accent text-on-accent forced-colors:border-2 forced-colors:border-[Highlight] not-disabled:hover:bg-accent-hover not-disabled:active:bg-accent-hover disabled:border-line disabled:bg-sunken disabled:text-subtle",
  secondary:
    "border-line bg-page text-ink shadow-sm not-disabled:hover:bg-hover not-disabled:active:bg-pressed disabled:opacity-50",
  ghost:
    "border-transparent text-muted not-disabled:hover:bg-hover not-disabled:hover:text-ink not-disabled:active:bg-pressed disabled:opacity-50",
  danger:
    "border-transparent bg-danger-strong text-white not-disabled:hover:brightness-110 not-disabled:active:brightness-95 disabled:opacity-50",
} as const;

/** 28, 32 and 36 px; at least 44 px on a touch screen. */
const SIZES = {
  sm: "h-7 gap-1 px-2 text-xs pointer-coarse:h-11 pointer-coarse:px-3",
  md: "h-8 gap-1.5 px-3 text-sm pointer-coarse:h-11",
  lg: "h-9 gap-2 px-4 text-sm pointer-coarse:h-11",
} as const;

const ICON_SIZES = {
  sm: "size-7 pointer-coarse:size-11",
  md: "size-8 pointer-coarse:size-11",
  lg: "size-9 pointer-coarse:size-11",
} as const;

export type Look = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES };

const BASE =
  "inline-flex shrink-0 items-center justify-center rounded-md border font-medium whitespace-nowrap select-none transition-colors";

/** The look of a button, for links. */
export function buttonClass({ variant = "secondary", size = "md" }: Look = {}): string {
  return `${BASE} ${VARIANTS[variant]} ${SIZES[size]}`;
}

/** The look of a square button with an icon only. */
export function iconButtonClass({ variant = "ghost", size = "md" }: Look = {}): string {
  return `${BASE} ${VARIANTS[variant]} ${ICON_SIZES[size]}`;
}
