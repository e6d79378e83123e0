"""A Pydantic AI agent of 2025, whose first format sends messages as events."""

from conversation import QUESTION, tracer_provider
from pydantic_ai.models.instrumented import InstrumentationSettings
from pydantic_ai_model import weather_agent

provider = tracer_provider()
settings = InstrumentationSettings(tracer_provider=provider, version=1)
weather_agent(instrument=settings).run_sync(QUESTION)
provider.shutdown()
