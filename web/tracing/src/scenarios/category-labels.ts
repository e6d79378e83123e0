export const categoryLabels: Readonly<Record<string, string>> = {
  happy_path: 'Happy path',
  edge_case: 'Edge case',
  refusal: 'Refusal',
  multi_turn: 'Multi-turn',
}
