/**
 * Renders the first stop of the keyboard on every page. Each layout has a `main` with the id "main" and tabindex -1.
 */
export function SkipLink() {
  return (
    <a
      className="absolute top-2 left-2 z-9 bg-canary px-4 py-3 text-on-canary [translate:0_-200%] print:hidden focus:[translate:0_0]"
      href="#main"
    >
      Skip to main content
    </a>
  );
}
