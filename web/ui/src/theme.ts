import { type CSSVariablesResolver, createTheme } from '@mantine/core'

/*
 * Mantine's default theme with one accent color, small type and dense controls.
 */

export const theme = createTheme({
  primaryColor: 'indigo',
  // White text has enough contrast on it.
  primaryShade: 7,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.8125rem', sm: '0.875rem', md: '0.9375rem', lg: '1.0625rem', xl: '1.25rem' },
  headings: { fontWeight: '600' },
  colors: {
    dark: [
      '#d5d9e0',
      '#b4bac5',
      '#8d95a3',
      '#69717f',
      '#3b414c',
      '#2d323c',
      '#22262e',
      '#15181d',
      '#101317',
      '#0b0d10',
    ],
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Button: { defaultProps: { size: 'xs' } },
    // Without an element for the first focus that is no item.
    Menu: {
      defaultProps: { shadow: 'md', position: 'bottom-start', withInitialFocusPlaceholder: false },
    },
    // The scroll lock would insert a style element, which the content security policy refuses; the page
    // itself never scrolls.
    Modal: {
      defaultProps: {
        lockScroll: false,
        centered: true,
        radius: 'md',
        closeButtonProps: { 'aria-label': 'Close' },
      },
    },
    // A `header` in a dialog would be a banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    Drawer: { defaultProps: { lockScroll: false } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: true } },
  },
})

/**
 * Mantine's dimmed text, placeholders and white text on red have too little contrast, and its tinted surfaces are too strong.
 */
export const themeVariables: CSSVariablesResolver = () => ({
  variables: filled('red', '#c92a2a', '#b42525'),
  light: {
    '--mantine-color-dimmed': '#5b6472',
    '--mantine-color-placeholder': '#6b7480',
    '--mantine-color-error': '#c92a2a',
    // The text of menu items that delete.
    '--mantine-color-red-6': '#c92a2a',
    ...tinted('red', '#fff0f0', '#ffe3e3', '#c92a2a'),
    ...tinted('orange', '#fff4e6', '#ffe8cc', '#b23c06'),
    ...tinted('green', '#ebfbee', '#d3f9d8', '#237032'),
  },
  dark: {
    '--mantine-color-dimmed': '#98a1af',
    '--mantine-color-placeholder': '#8d95a3',
    '--mantine-color-error': '#ff8787',
    ...tinted('red', '#2f1c1f', '#3d2327', '#ff8787'),
    ...tinted('orange', '#2e2317', '#3b2d1c', '#ffc078'),
    ...tinted('green', '#17291d', '#1e3626', '#8ce99a'),
    ...tinted('indigo', '#20263f', '#2a3252', '#bac8ff'),
  },
})

/** The surface, also hovered, under white text. */
function filled(name: string, surface: string, hover: string): Readonly<Record<string, string>> {
  const variable = `--mantine-color-${name}-filled`
  return { [variable]: surface, [`${variable}-hover`]: hover }
}

/** The surface (also hovered) and the text of tinted elements. */
function tinted(
  name: string,
  surface: string,
  hover: string,
  text: string,
): Readonly<Record<string, string>> {
  const variable = `--mantine-color-${name}-light`
  return { [variable]: surface, [`${variable}-hover`]: hover, [`${variable}-color`]: text }
}
