"""A Pydantic AI agent, whose spans OpenInference's processor rewrites."""

from conversation import QUESTION, SESSION, tracer_provider
from openinference.instrumentation.pydantic_ai import OpenInferenceSpanProcessor
from pydantic_ai.capabilities import Instrumentation
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai_model import weather_agent

provider = tracer_provider(OpenInferenceSpanProcessor())
settings = InstrumentationSettings(tracer_provider=provider)
agent = weather_agent(capabilities=[Instrumentation(settings=settings)])
agent.run_sync(QUESTION, conversation_id=SESSION)
provider.shutdown()
