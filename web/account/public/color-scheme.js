// Runs before the first paint, so that a dark page never flashes white. Uses Mantine's storage key.
try {
  const chosen = localStorage.getItem('mantine-color-scheme-value')
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = isDark ? 'dark' : 'light'
} catch {
  // Storage is disabled: the page starts light and Mantine corrects it.
}
