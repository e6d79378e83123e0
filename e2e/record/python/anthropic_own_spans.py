"""Anthropic's client with its own spans, and beside those of other instrumentations."""

import os

from conversation import anthropic_client, ask_anthropic, refuse_anthropic, tracer_provider

provider = tracer_provider()
match os.environ.get("BESIDE"):
    case "openllmetry":
        from opentelemetry.instrumentation.anthropic import AnthropicInstrumentor

        AnthropicInstrumentor().instrument(tracer_provider=provider)
    case "openinference":
        from openinference.instrumentation.anthropic import AnthropicInstrumentor

        AnthropicInstrumentor().instrument(tracer_provider=provider)
client = anthropic_client()
with provider.get_tracer("weather-app").start_as_current_span("answer"):
    ask_anthropic(client)
refuse_anthropic(client)
provider.shutdown()
