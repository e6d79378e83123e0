"""Bedrock's client, instrumented by OpenTelemetry, OpenInference or OpenLLMetry."""

import os

from conversation import tracer_provider

provider = tracer_provider()
match os.environ["INSTRUMENTATION"]:
    case "opentelemetry":
        from opentelemetry.instrumentation.botocore import BotocoreInstrumentor as Instrumentor
    case "openinference":
        from openinference.instrumentation.bedrock import BedrockInstrumentor as Instrumentor
    case "openllmetry":
        from opentelemetry.instrumentation.bedrock import BedrockInstrumentor as Instrumentor
Instrumentor().instrument(tracer_provider=provider)

# The client must be created after it is instrumented.
from bedrock_conversation import bedrock_client, converse, invoke_model  # noqa: E402

calls = {"converse": converse, "invoke_model": invoke_model}
calls[os.environ["CALLS"]](bedrock_client())
provider.shutdown()
