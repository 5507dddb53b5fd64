/** First stop of the keyboard on every page; each frame has a `main` with the id "main" and tabindex -1. */
export function SkipLink() {
  return (
    <a className="skip" href="#main">
      Skip to main content
    </a>
  );
}
