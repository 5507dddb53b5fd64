import { cva, type VariantProps } from "class-variance-authority";

/**
 * Returns the classes of a button. The colours are roles of `ui/styles/tokens.css`: a primary button has
 * `--color-action`, `--color-on-action` for its text and `--color-action-hover`; `danger` and `accent` have theirs
 * beside these. Its place may set `--btn-x` and `--btn-text`, the padding at the sides and the text size of every
 * button inside.
 */
export const buttonLook = cva(
  "inline-flex cursor-pointer items-center justify-center gap-2 rounded-2 border-[1.5px] text-center font-semibold forced-colors:border print:hidden",
  {
    variants: {
      variant: {
        primary: "border-action bg-action text-on-action no-underline hover:border-action-hover hover:bg-action-hover",
        quiet: "border-control bg-transparent text-ink no-underline hover:border-ink hover:bg-sheet",
        ghost:
          "border-transparent bg-transparent text-link underline decoration-1 underline-offset-[0.2em] hover:bg-brand-tint",
        danger: "border-danger-action bg-danger-action text-on-danger no-underline",
        /** Stands on the deep band only. */
        accent: "border-canary bg-canary text-on-canary no-underline",
      },
      size: {
        md: "text-(length:--btn-text,1rem)/[1.2] min-h-tap px-(--btn-x,1.15rem) py-2",
        sm: "min-h-9 px-(--btn-x,0.75rem) py-1 text-sm/[1.2] max-md:min-h-11",
        /** Fits what appears inside the rows of a list. */
        xs: "min-h-8 px-[0.7rem] py-[0.2rem] text-xs/[1.2] max-md:min-h-11",
      },
      wide: { true: "w-full" },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

export type ButtonLook = Omit<VariantProps<typeof buttonLook>, "wide"> & { wide?: boolean };

export type ButtonVariant = NonNullable<ButtonLook["variant"]>;
