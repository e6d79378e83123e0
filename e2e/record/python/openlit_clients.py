"""OpenLIT's instrumentation of OpenAI and Anthropic, without its prices, which it would download."""

import os

import openlit
from conversation import PROVIDER, anthropic_client, ask_anthropic, ask_openai, openai_client
from opentelemetry import trace

openlit.init(service_name=os.environ["OTEL_SERVICE_NAME"], pricing_json="none", disable_metrics=True)
if PROVIDER == "anthropic":
    ask_anthropic(anthropic_client())
else:
    ask_openai(openai_client())
trace.get_tracer_provider().shutdown()
