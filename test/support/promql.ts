/** What a PromQL expression asks for. */
export interface PromqlReferences {
  /** Where the parser stumbled, as text from there on; empty when the expression is well formed. */
  errors: string[];
  metrics: Set<string>;
  /** Labels that are matched or grouped by. */
  labels: Set<string>;
}

/** Loads Prometheus' own grammar; what it answers reads an expression, Grafana's interval variable being a duration. */
export async function loadPromqlParser(): Promise<(expression: string) => PromqlReferences> {
  const { parser } = await import('@prometheus-io/lezer-promql');
  return (expression) => {
    const text = expression.replaceAll('$__rate_interval', '5m');
    const question: PromqlReferences = { errors: [], metrics: new Set(), labels: new Set() };
    parser.parse(text).iterate({
      enter: ({ name, type, from, to, node }) => {
        const term = text.slice(from, to);
        if (type.isError) question.errors.push(text.slice(from) || 'the end');
        else if (name === 'LabelName') question.labels.add(term);
        else if (name === 'Identifier' && node.parent?.name === 'VectorSelector') question.metrics.add(term);
      },
    });
    return question;
  };
}
