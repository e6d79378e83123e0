"""OpenTelemetry's current instrumentation of Anthropic, content on the spans."""

from conversation import anthropic_client, ask_anthropic, refuse_anthropic, tracer_provider
from opentelemetry.instrumentation.genai.anthropic import AnthropicInstrumentor

provider = tracer_provider()
AnthropicInstrumentor().instrument()
client = anthropic_client()
ask_anthropic(client)
refuse_anthropic(client)
provider.shutdown()
