import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The accent colour. */
const verdigris: MantineColorsTuple = ["#e6f5f2", "#cfeae4", "#a3d6cb", "#73c0b1", "#56c5b2", "#2f9684", "#17806f", "#0b6e63", "#07574e", "#05413b"];
/** Greys with a green tint, as on the landing pages. */
const gray: MantineColorsTuple = ["#f7f7f4", "#f0f1ec", "#e1e3dd", "#d3d6cf", "#b9beb7", "#868f8b", "#545f5b", "#3f4945", "#2a332f", "#17201d"];
const dark: MantineColorsTuple = ["#e7ece9", "#c3ccc8", "#a3afaa", "#6d7a75", "#28332f", "#202a26", "#161e1b", "#0f1513", "#0b100e", "#070b09"];
/** Amber and red for medium and low trust, also used for warnings and errors. */
const yellow: MantineColorsTuple = ["#fbf0d9", "#f6e3bd", "#eecb86", "#e5b54f", "#dfa53b", "#db9c30", "#d9962a", "#a86f0c", "#8a5c00", "#6b4700"];
const red: MantineColorsTuple = ["#fbe7e5", "#f6d0cd", "#eea6a1", "#f48c84", "#dd5b53", "#cf453c", "#c2352c", "#b3261e", "#931c15", "#6f130e"];

export const theme = createTheme({
  colors: { verdigris, gray, dark, yellow, red },
  primaryColor: "verdigris",
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.32,
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  fontFamily: "var(--font-text)",
  fontFamilyMonospace: "var(--font-mono)",
  fontSizes: { xs: "12px", sm: "14px", md: "15px", lg: "17px", xl: "20px" },
  components: {
    // Nearly every field is required; optional ones say so in their description.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    // Alerts are static by default; those that announce something set their own role.
    Alert: { defaultProps: { role: "note" } },
    // Set explicitly so that app.css can select on data-variant.
    Button: { defaultProps: { variant: "filled" } },
    // Colour alone does not mark a link within text.
    Anchor: { defaultProps: { underline: "always" } },
  },
  headings: {
    fontFamily: "var(--font-text)",
    fontWeight: "650",
    sizes: { h1: { fontSize: "24px", lineHeight: "1.25" }, h2: { fontSize: "17px", lineHeight: "1.35" }, h3: { fontSize: "15px", lineHeight: "1.4" } },
  },
});

/** Maps Mantine's colours to tokens.css, which defines both light and dark. */
const shared = {
  "--mantine-color-body": "var(--canvas)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-soft)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-placeholder": "var(--ink-soft)",
  "--mantine-color-error": "var(--low)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-verdigris-light": "var(--high-soft)",
  "--mantine-color-verdigris-light-color": "var(--high)",
  "--mantine-color-yellow-light": "var(--medium-soft)",
  "--mantine-color-yellow-light-color": "var(--medium)",
  "--mantine-color-red-light": "var(--low-soft)",
  "--mantine-color-red-light-color": "var(--low)",
  "--mantine-color-gray-light": "var(--sunken)",
  "--mantine-color-gray-light-color": "var(--ink-soft)",
};

export const cssVariables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
